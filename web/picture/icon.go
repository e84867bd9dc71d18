package picture

// Icon returns the app's icon as a square PNG. A maskable icon fills the square with its
// background and keeps its drawing in the middle four fifths, because systems crop it.
func Icon(size int, maskable bool) []byte {
	ground, margin := paper, 0.04
	if maskable {
		ground, margin = wood, 0.16
	}
	c := newCanvas(size, size, ground)
	all := box{0, 0, float64(size), float64(size)}.inset(float64(size) * margin)
	board := box{all.x, all.y + all.h*0.16, all.w, all.h * 0.68}
	c.round(hollow, board, board.h*0.3)
	c.round(wood, board.inset(all.w*0.025), board.h*0.28)
	radius := all.w * 0.118
	for i := range 6 {
		x, y := board.x+board.w*(0.2+0.3*float64(i%3)), board.y+board.h*(0.29+0.42*float64(i/3))
		c.bowl(box{x - radius, y - radius, 2 * radius, 2 * radius}, radius)
		seeds(c, box{x - radius, y - radius, 2 * radius, 2 * radius}, []int{3, 1, 0, 2, 0, 4}[i], radius*0.3)
	}
	return c.png()
}
