package fold

// dictionary is the frame of what the rows of most games contain.
var dictionary = func() []byte {
	p := newParts()
	p.row([]byte(usual))
	return p.frame
}()

// usual is text that the rows of most games contain, the most frequent last. It only makes
// packed rooms smaller. It belongs to version 1 and never changes: without it nothing that was
// packed with it can be read.
const usual = `"rules":"clockwise","options":"","title":"Clockwise Mancala","canonical":"direction=cw store=true relay=same capture=cross cross_own=false cross_empty=true again=store end=side-empty` +
	`"rules":"basic-teams","options":"remaining=nobody","title":"Basic Mancala in teams","canonical":"partners=2 store=true` +
	`"rules":"avalanche","title":"Avalanche","rules":"maruba","title":"Maruba","rules":"giuthi","title":"Giuthi","rules":"wise","rules":"ignorant","rules":"basic-four","rules":"basic","title":"Basic Mancala"` +
	`"rules":"pressman","options":"","title":"Kalah, Pressman's leaflet","canonical":"store=true capture=cross cross_empty=true again=store end=side-empty"` +
	`"rules":"oware-abapa","options":"","title":"Oware Abapa","canonical":"skip_origin=true capture=count counts=2,3 feed=must stuck=pass cycle_remaining=split"` +
	`{"k":"settings","offer","accept","decline","claim","stand","youngest","next","takeback","rematch","draw","resign","back","gone","hold","outage"` +
	`{"k":"offer","at":17,"b":{"seat":1,"what":"rematch","set":{"offers":[{"what":"rematch","seat":1}]}}}` +
	`{"k":"accept","b":{"seat":0,"what":"rematch","set":{"offers":[]},"~":{"rematches":true}}}{"k":"rematch","at":17,"c":"rematch","b":{"set":{"rematch":"` +
	`{"k":"rated","set":{"ratings":[{"before":1500,"after":1500,"change":0,"provisional":true}` +
	`{"k":"gone","at":17,"by":"p","b":{"seat":0,"set":{"due":17,"~":{"gone":[0,0,0,0],{"k":"back","at":17` +
	`{"k":"outage","at":17,"c":"outage","b":{"from":17,"for":0,"set":{"clock":[,"run":17,"credited":[0,0]` +
	`{"k":"expire","at":17,"c":"wake","b":{"set":{"state":"over","result":{"reason":"expired","scores":[0,0],"winners":[],"ply":0}}},"~":{"expires":0}}}` +
	`{"k":"abort","b":{"set":{"state":"over","due":0,"result":{"reason":"aborted","scores":[0,0],"winners":[],"ply":1` +
	`{"k":"flag","at":17,"c":"wake","b":{"seat":1,"set":{"state":"over","clock":[300000,0],"run":0,"result":{"reason":"time","scores":[24,24],"winners":[0],"ply":40,"receipt":[{"measured":0,"given":0,"left":3000},{"measured":0,"given":0,"left":3000}]}}}}` +
	`{"k":"resign","b":{"seat":0,"set":{"state":"over","run":0,"result":{"reason":"resign","scores":[24,24],"winners":[1],"ply":` +
	`"set":{"state":"over","phase":"over","result":{"reason":"all-stuck","scores":[12,36],"winners":[1],"ply":101}}}}` +
	`{"k":"create","at":1795252000000,"by":"p0","c":"create","b":{"set":{"state":"waiting","creator":"p","rules":"oware","options":"","title":"Oware","canonical":"skip_origin=true capture=count counts=2,3 feed=must stuck=pass cycle_remaining=split","shape":[2,1,6],` +
	`{"k":"create","at":1795252000000,"by":"p0","c":"create","b":{"set":{"state":"waiting","creator":"p","rules":"kalah","options":"","title":"Kalah","canonical":"store=true capture=cross again=store end=side-empty","shape":[2,1,6],"pits":[4,4,4,4,4,4,4,4,4,4,4,4],"stores":[0,0],"phase":"play","turn":0,"ply":0,"sum":"d7a767ff","clockText":"none","clockText":"5+3","clockText":"1d2","clockText":"15+10","clock":[],"run":0,"due":0,"start":"friend","start":"creator","start":"random","forOthers":false,"listed":true,"rated":true,"delay":0,"assists":true,"chat":"all","sitters":["p"],"seats":[],"moves":[],"offers":[],"round":1,"gains":[0,0],"target":0},"~":{"secret":"hush","expires":1795338400000,"began":0,"lag":[],"drawn":[0,0,0,0],"asked":[0,0,0,0],"gone":[0,0,0,0],"hold":[0,0,0],"leavers":[],"layer":0}}}` +
	`{"k":"sit","at":1795252061791,"by":"p","c":"","b":{"set":{"sitters":["p"]}}}` +
	`{"k":"sit","at":1795252061791,"by":"p","c":"","b":{"seat":1,"set":{"state":"live","clock":[900000,900000],"due":1795252091791,"sitters":["p","p"],"seats":["p","p"],"first":"4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"},"~":{"expires":0,"began":1795252061791,"lag":[[0,0,3000],[0,0,3000]]}}}` +
	`{"k":"move","at":1795252104969,"by":"p","c":"","b":{"seat":1,"move":"c","ply":40,"trace":[["lift",8,1],["sow",9],["take",9,1,"s1"],["sweep",4,3,"s0"]],"turn":0,"sum":"46963011","clock":[1045175,1036209],"run":0,"set":{"state":"over","phase":"over","result":{"reason":"side-empty","scores":[27,21],"winners":[0],"ply":40,"receipt":[{"measured":8196,"given":5370,"left":7000},{"measured":7041,"given":3902,"left":7000}]}},"~":{"lag":[[8196,5370,7000],[7041,3902,7000]]}}}` +
	`{"k":"move","at":17,"by":"p","c":"","b":{"seat":0,"move":"f","ply":23,"trace":[["lift",11,1],["sow","s1"],["sweep",0,1,"s0"],["sweep",2,12,"s0"],["sweep",3,4,"s0"],["sweep",4,10,"s0"]],"turn":1,"sum":"","set":{"state":"over","phase":"over","result":{"reason":"side-empty","scores":[35,13],"winners":[0],"ply":23}}}}` +
	`{"k":"move","at":17,"by":"p","c":"","b":{"seat":1,"move":"d","ply":9,"trace":[["lift",9,4],["sow",10,11,"s1",0]],"turn":0,"sum":"","clock":[300000,300000],"run":0,"set":{"due":17,` +
	`["sow","s1","0-3"],["sow","s0","6-9"],["sow","1-5","s0",6],["sow","7-11","s1","0-2"],["sow","3-6"],["sow","9-11","s1",0]],"turn":1,"sum":""}}` +
	`{"k":"move","at":17,"by":"p","c":"","b":{"seat":0,"move":"a","ply":5,"trace":[["lift",3,6],["sow",4,5,"s0","6-8"]],"turn":1,"sum":"","clock":[300000,300000],"run":17952520,"~":{"lag":[[743,44,1306],[673,0,1080]]}}}` +
	`{"k":"move","at":179525202`
