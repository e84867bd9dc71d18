// Package lru is a map of bounded size. When it is full it forgets the values that were
// used longest ago.
package lru

import (
	"container/list"
	"sync"
)

// Cache is such a map. Each value has a size, in a unit that its user chooses. It is safe
// for concurrent use. Make one with [New].
//
// It is an interface because every package in whose types a generic struct occurs compiles its
// methods again.
type Cache[K comparable, V any] interface {
	// Get returns the value of a key. That counts as a use.
	Get(key K) (value V, ok bool)
	// Put stores the value of a key, in place of an older one. A value that is larger than the
	// cache is not stored.
	Put(key K, value V, size int)
	// Size returns the size of all values.
	Size() int
}

type cache[K comparable, V any] struct {
	max int

	mu    sync.Mutex
	size  int // of all values
	byKey map[K]*list.Element
	order list.List // of *item[K, V], the latest used first
}

type item[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// New returns a cache whose values have together at most this size.
func New[K comparable, V any](size int) Cache[K, V] {
	return &cache[K, V]{max: size, byKey: map[K]*list.Element{}}
}

func (c *cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*item[K, V]).value, true
}

func (c *cache[K, V]) Put(key K, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.drop(e)
	}
	if size > c.max {
		return
	}
	c.byKey[key] = c.order.PushFront(&item[K, V]{key, value, size})
	c.size += size
	for c.size > c.max {
		c.drop(c.order.Back())
	}
}

func (c *cache[K, V]) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

func (c *cache[K, V]) drop(e *list.Element) {
	i := c.order.Remove(e).(*item[K, V])
	delete(c.byKey, i.key)
	c.size -= i.size
}
