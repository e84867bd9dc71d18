package site

import "mancala/lobby"

// limiters enforce the [Limits].
type limiters struct {
	RoomLimit            *lobby.Limiter
	AddressLimit         *lobby.Limiter
	GuestLimit           *lobby.Limiter
	ChatLimit            *lobby.Limiter
	PrefLimit            *lobby.Limiter
	RequestLimit         *lobby.Limiter
	CodeLimit            *lobby.Limiter
	SeekLimit            *lobby.Limiter
	PasskeyLimit         *lobby.Limiter
	TokenLimit           *lobby.Limiter
	SignInLimit          *lobby.Limiter
	SignInNameLimit      *lobby.Limiter
	SignInAddressLimit   *lobby.Limiter
	DeviceLimit          *lobby.Limiter
	SecretLimit          *lobby.Limiter
	BotLimit             *lobby.Limiter
	BotAddressLimit      *lobby.Limiter
	HintLimit            *lobby.Limiter
	HintAddressLimit     *lobby.Limiter
	ReportLimit          *lobby.Limiter
	ReportAddressLimit   *lobby.Limiter
	AnalysisLimit        *lobby.Limiter
	AnalysisAddressLimit *lobby.Limiter
	LookLimit            *lobby.Limiter
	PositionLimit        *lobby.Limiter
}

func newLimiters(l Limits) limiters {
	return limiters{
		RoomLimit:            lobby.NewLimiter(l.Rooms),
		AddressLimit:         lobby.NewLimiter(l.RoomsPerAddress),
		GuestLimit:           lobby.NewLimiter(l.Guests),
		ChatLimit:            lobby.NewLimiter(l.Chat),
		PrefLimit:            lobby.NewLimiter(l.Settings),
		RequestLimit:         lobby.NewLimiter(l.Requests),
		CodeLimit:            lobby.NewLimiter(l.Codes),
		SeekLimit:            lobby.NewLimiter(l.Seeks),
		PasskeyLimit:         lobby.NewLimiter(l.Passkeys),
		TokenLimit:           lobby.NewLimiter(l.Tokens),
		SignInLimit:          lobby.NewLimiter(l.SignIns),
		SignInNameLimit:      lobby.NewLimiter(l.SignInsPerName),
		SignInAddressLimit:   lobby.NewLimiter(l.SignInsPerAddress),
		DeviceLimit:          lobby.NewLimiter(l.SignIns),
		SecretLimit:          lobby.NewLimiter(l.SignInsPerAddress),
		BotLimit:             lobby.NewLimiter(l.BotGames),
		BotAddressLimit:      lobby.NewLimiter(l.BotsPerAddress),
		HintLimit:            lobby.NewLimiter(l.Hints),
		HintAddressLimit:     lobby.NewLimiter(l.HintsPerAddress),
		ReportLimit:          lobby.NewLimiter(l.Reports),
		ReportAddressLimit:   lobby.NewLimiter(l.ReportsPerAddress),
		AnalysisLimit:        lobby.NewLimiter(l.Analyses),
		AnalysisAddressLimit: lobby.NewLimiter(l.AnalysesPerAddress),
		LookLimit:            lobby.NewLimiter(l.Looks),
		PositionLimit:        lobby.NewLimiter(l.Positions),
	}
}
