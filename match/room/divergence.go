package room

import "mancala/match/machine"

// A database that fails over to a standby may have lost rows that were acknowledged. A
// room that another instance then opens is behind a replica that has seen those rows, or
// has other entries in their place. The replica compares a checksum with its owner and
// the number of its last entry with the journal, and ends when they differ: its followers
// subscribe again, to the state that the journal has.

// addSum returns the checksum of a room's entries with one more, FNV-1a. It covers what
// distinguishes two entries that were decided in the same place: their times, kinds,
// authors and commands. Only the checksum of no entries is 0.
func addSum(sum uint32, e machine.Entry) uint32 {
	const offset, prime = 2166136261, 16777619
	if sum == 0 {
		sum = offset
	}
	for at := uint64(e.At); at != 0; at >>= 8 {
		sum = (sum ^ uint32(at&0xff)) * prime
	}
	for _, text := range [...]string{e.Kind, e.By, e.Command} {
		for i := range len(text) {
			sum = (sum ^ uint32(text[i])) * prime
		}
	}
	return max(sum, 1)
}

// compare ends a replica whose entries are not its owner's.
func (m *replica) compare(owner Message) {
	r := m.room
	switch {
	case r.ephemeral() || owner.Sum == 0: // the owner's version does not tell
	case owner.Seq == r.seq && owner.Sum != r.sum:
		m.diverged(r.seq)
	case owner.Seq < r.seq:
		m.askJournal(r.seq)
	}
}

// askJournal ends the replica if the journal does not have entry seq any more. The
// replica may have read that entry before its owner's answer came.
func (m *replica) askJournal(seq uint64) {
	r := m.room
	r.registry.group.Go(func() {
		ctx := r.registry.writing.In(r.registry.ctx, appendTimeout)
		if seqs, err := r.registry.journal.Seqs(ctx, []string{r.id}); err == nil && seqs[r.id] < seq {
			r.callLater(func(*Room) { m.diverged(seq) })
		}
	})
}

func (m *replica) diverged(seq uint64) {
	r := m.room
	r.registry.log.Warn("room: this copy has other entries than its owner and starts again", "room", r.id, "entry", seq, "owner", m.owner)
	r.over = ErrMoved
}
