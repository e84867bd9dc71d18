package lobby

// recent is a map of bounded size that forgets keys which have not been used for long. It has
// no lock.
//
// It is an interface because every package in whose types a generic struct occurs compiles its
// methods again. [People] and [Limiter] occur in most packages of web.
type recent[K comparable, V any] interface {
	// get returns the value of a key, and counts as a use.
	get(K) (V, bool)
	put(K, V)
	drop(K)
	clear()
}

// generations is a [recent] of two maps: when the young one is full it becomes the old one, and
// the old one is dropped. So the last max/2 keys that were used are always there, at no cost for
// keeping an order.
type generations[K comparable, V any] struct {
	max        int // keys in both generations together
	young, old map[K]V
}

func newRecent[K comparable, V any](limit int) recent[K, V] {
	return &generations[K, V]{max: max(2, limit), young: map[K]V{}}
}

func (r *generations[K, V]) get(k K) (V, bool) {
	if v, ok := r.young[k]; ok {
		return v, true
	}
	v, ok := r.old[k]
	if ok {
		r.put(k, v)
	}
	return v, ok
}

func (r *generations[K, V]) put(k K, v V) {
	if _, ok := r.young[k]; !ok && len(r.young) >= r.max/2 {
		r.old, r.young = r.young, make(map[K]V)
	}
	delete(r.old, k) // so that a key is in one generation only
	r.young[k] = v
}

func (r *generations[K, V]) drop(k K) {
	delete(r.young, k)
	delete(r.old, k)
}

func (r *generations[K, V]) clear() { r.young, r.old = map[K]V{}, nil }
