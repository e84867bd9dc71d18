// Package tuning asks the operating system and Go's runtime to run the program faster or
// in less memory. Without it everything works as well, only slower.
//
// The package does nothing else and imports no other package of this module. Each function
// names the measurement that shows its effect. On a system without the requested feature it
// does nothing. The package is in folder engine because every folder may import that one.
package tuning
