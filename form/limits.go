package form

// Limits caps what Parse accepts; zero fields mean the defaults.
type Limits struct {
	Bytes   int // of the JSON text as read, and as JSON returns it; default 64 KiB
	Fields  int // default 64
	Depth   int // objects and lists inside one another; default 8
	Options int // of one field; default 500
}

// Content is one answer to one form; these bound the work of a Check.
const (
	maxContentBytes = 1 << 20
	maxContentDepth = 32
)

const maxNameBytes = 128

func (l *Limits) orDefault() Limits {
	given := Limits{}
	if l != nil {
		given = *l
	}
	return Limits{
		Bytes:   positiveOr(given.Bytes, 64<<10),
		Fields:  positiveOr(given.Fields, 64),
		Depth:   positiveOr(given.Depth, 8),
		Options: positiveOr(given.Options, 500),
	}
}

func positiveOr(n, fallback int) int {
	if n > 0 {
		return n
	}
	return fallback
}
