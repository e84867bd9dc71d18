// Package tuning asks the operating system and Go's runtime to run the program faster or
// in less memory. Without it everything works as well, only slower.
//
// What lives here does nothing else, knows no other package of this module, and says
// which measurement shows what it buys. On a system that does not have what it asks for,
// it does nothing. It is in folder engine because every folder may import that one.
package tuning
