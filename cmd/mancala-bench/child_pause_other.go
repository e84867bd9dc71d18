//go:build !unix

package main

import "errors"

func (c *child) halt() error { return errors.ErrUnsupported }

func (c *child) goOn() error { return nil }
