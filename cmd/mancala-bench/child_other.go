//go:build !unix

package main

import "errors"

func (c *child) suspend() error { return errors.ErrUnsupported }

func (c *child) resume() error { return nil }

func lowerPriority() {}
