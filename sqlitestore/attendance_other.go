//go:build !linux && !darwin

package sqlitestore

import (
	"errors"
	"os"
)

func lockByte(*os.File, int64) error { return errors.ErrUnsupported }

func byteLocked(*os.File, int64) (bool, error) { return true, errors.ErrUnsupported }
