package lru

import "testing"

func TestValuesUsedLongestAgoAreForgotten(t *testing.T) {
	c := New[string, int](10)
	c.Put("a", 1, 4)
	c.Put("b", 2, 4)
	c.Get("a")
	c.Put("c", 3, 4)
	for key, want := range map[string]bool{"a": true, "b": false, "c": true} {
		if _, ok := c.Get(key); ok != want {
			t.Errorf("%s is there: %t, want %t", key, ok, want)
		}
	}
	c.Put("a", 5, 2)
	if v, _ := c.Get("a"); v != 5 || c.Size() != 6 {
		t.Errorf("a is %d, the size is %d; want 5 and 6", v, c.Size())
	}
	c.Put("d", 4, 11)
	if _, ok := c.Get("d"); ok || c.Size() != 6 {
		t.Errorf("a value larger than the cache is stored: %t; the size is %d, want the 6 of before", ok, c.Size())
	}
}
