package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// inParallel calls f for 0 to n-1, up to 32 calls at a time, and returns all errors.
func inParallel(ctx context.Context, n int, f func(int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, min(n, 32))
	var i atomic.Int64
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil && ctx.Err() == nil {
				k := int(i.Add(1)) - 1
				if k >= n {
					return
				}
				errs[w] = f(k)
			}
		})
	}
	wg.Wait()
	return errors.Join(append(slices.DeleteFunc(errs, func(e error) bool { return e == nil }), ctx.Err())...)
}

// firstOf returns the first error with the number of the others: an error in one room
// often comes with the same error in a hundred others.
func firstOf(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return fmt.Errorf("%w (and in %d more rooms)", errs[0], len(errs)-1)
}
