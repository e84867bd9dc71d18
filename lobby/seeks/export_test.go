package seeks

// Awaited returns how many games are expected.
func (c *Client) Awaited() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.expected)
}
