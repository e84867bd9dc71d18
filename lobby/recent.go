package lobby

// recent is a map of bounded size that forgets what has not been used for long.
// It has two generations: when the young one is full it becomes the old one, and
// the old one goes. So whatever was used among the last max/2 keys is there, and
// nothing is spent on an order. It has no lock.
type recent[K comparable, V any] struct {
	max        int // keys, of both generations
	young, old map[K]V
}

func newRecent[K comparable, V any](limit int) *recent[K, V] {
	return &recent[K, V]{max: max(2, limit), young: map[K]V{}}
}

// get returns what was put, and counts as a use.
func (r *recent[K, V]) get(k K) (V, bool) {
	if v, ok := r.young[k]; ok {
		return v, true
	}
	v, ok := r.old[k]
	if ok {
		r.put(k, v)
	}
	return v, ok
}

func (r *recent[K, V]) put(k K, v V) {
	if _, ok := r.young[k]; !ok && len(r.young) >= r.max/2 {
		r.old, r.young = r.young, make(map[K]V)
	}
	delete(r.old, k) // or a drop of the young one would bring it back
	r.young[k] = v
}

func (r *recent[K, V]) drop(k K) {
	delete(r.young, k)
	delete(r.old, k)
}

func (r *recent[K, V]) clear() { r.young, r.old = map[K]V{}, nil }
