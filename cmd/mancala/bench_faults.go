package main

import "context"

func (p benchPlan) faultPieces(add func(kind, name string, do func(context.Context, target) (benchResult, error))) {
}
