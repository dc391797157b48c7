import type { MergeOptions } from '../../../shared/ports/merger.ts'

/** Sentences of the language reference, each as a template, data and what comes out. Texts get a root element. */
export type LanguageRow = readonly [
  template: string,
  data: unknown,
  result: string,
  options?: Partial<MergeOptions> & { readonly format?: string },
]

/** Rows by clause of the reference. A result may be a pattern, or `!code`: the code of the first problem. */
export type ClauseRows = Readonly<
  Record<string, readonly (readonly [LanguageRow[0], LanguageRow[1], string | RegExp, LanguageRow[3]?])[]>
>

export const languageRows: readonly LanguageRow[] = [
 ["{c.now}", {}, "2024-01-02T03:04:05.000Z"],
 ["{c.now}", {}, "x", {complement:{value:{now:'x'}}}],
 ["{d.v:ifEQ(NaN):show(y)}", {v: 'x'}, "x"],
 ["{ {d.v} }", {v:1}, "{ 1 }"],
 ["{d.a\u00a0.b}", {a:{b:1}}, "1"],
 ["{d.v:prepend(“a b”)}", {v:1}, "“ab”1"],
 ["{d.v:prepend(\"a b\")}", {v:1}, "\"ab\"1"],
 ["<p>{d.v:print(<b>a</b> c)}</p>", {v:1}, "<p>ac<b></b></p>"],
 // climbing
 ["{d.l[i].k[i].v:print(..n)}{d.l[i+1].k[i+1].v}", {l:[{n:'A',k:[{v:1},{v:2}]},{n:'B',k:[{v:3}]}]}, "AAB"],
 ["{d.l[i].k[i].v:print(...t)}{d.l[i+1].k[i+1].v}", {t:'T',l:[{n:'A',k:[{v:1},{v:2}]},{n:'B',k:[{v:3}]}]}, "TTT"],
 ["{c.a..b}", {}, "7", {complement:{value:{a:{},b:7}}}],
 ["{d.a[i]..b}{d.a[i+1]}", {b:7,a:[1,2]}, "77"],
 // filters
 ["{d.a[n=2].m}", {a:[{n:'2',m:'x'}]}, "x"],
 ["{d.a[n&gt;'b'].m}", {a:[{n:'a',m:'x'},{n:'c',m:'y'}]}, "y"],
 ["{d.a[.n=.p].m}", {a:[{n:1,p:2,m:'x'},{n:3,p:3,m:'y'}]}, "y"],
 ["{d.a[n=c.w].m}", {a:[{n:1,m:'x'},{n:3,m:'y'}]}, "y", {complement:{value:{w:3}}}],
 ["{d.a[n='it''s'].m}", {a:[{n:"it's",m:'x'}]}, "x"],
 ["{d.a['my k'=1].m}", {a:[{'my k':1,m:'x'}]}, "x"],
 ["{d.a[i,n!=null].m}{d.a[i+1]}", {a:[{n:null,m:1},{n:0,m:2},{m:3}]}, "2"],
 ["{d.a[n=0].m}", {a:[{n:'',m:1},{n:0,m:2}]}, "2"],
 ["{d.a[n=''].m}", {a:[{n:0,m:1},{n:'',m:2}]}, "2"],
 ["{d.a[i&lt;-1].m}", {a:[{m:1},{m:2}]}, "1"],
 ["{d.a[i, i&gt;-2].m}{d.a[i+1]}", {a:[{m:1},{m:2},{m:3}]}, "3"],
 ["{d.a[i=0][i=1]}", {a:[[1,2]]}, "2"],
 ["{d.a[0]}{d.a[0].x}", {a:['p']}, "p"],
 ["{d.a[x=1,x=1].m}", {a:[{x:1,m:4}]}, "4"],
 ["{d.p[i, i=1]}{d.p[i+1]}", {p:['a','b','c']}, "b"],
 // filter alias
 ["{#f=n&gt;1}{d.a[$f][i].m}{d.a[i+1].m}", {a:[{n:1,m:1},{n:2,m:2},{n:3,m:3}]}, "23"],
 ["{#f=n&gt;1}{d.a[i,$f].m}{d.a[i+1,$f].m}", {a:[{n:1,m:1},{n:2,m:2},{n:3,m:3}]}, "23"],
 ["{#f=n&gt;1}{d.a[$f][i].m}{d.a[$f][i+1].m}", {a:[{n:1,m:1},{n:2,m:2},{n:3,m:3}]}, "23"],
 // lookups
 ["{d.o[i].c:print(..b[.i].n)}{d.o[i+1]}", {o:[{c:1},{c:2}],b:[{n:'x'},{n:'y'}]}, "xy"],
 ["{d.o[i].c:print(d.b[id=.c].n)}{d.o[i+1]}", {o:[{c:1},{c:2}],b:[{id:1,n:'x'},{id:2,n:'y'}]}, "xy"],
 // objects
 ["{d.o[i].att}{d.o[i].val.x}{d.o[i+1]}", {o:{a:{x:1},b:{x:2}}}, "a1b2"],
 ["{d.o[i].att}{d.o[i+1]}{d.o.a}", {o:{a:1,b:2}}, "ab1"],
 ["{d.o[i, .val&gt;1].att}{d.o[i+1, .val&gt;1].att}", {o:{a:1,b:2}}, "b"],
 ["{d.o[val,i].att}{d.o[val+1,i+1].att}", {o:{a:2,b:1}}, "ba"],
 // alias
 ["{#a=d.v:prepend(x)}{$a:append(y)}", {v:1}, "x1y"],
 ["{#q = d.items[i]}{$q.name},{d.items[i+1].name}", {items:[{name:'a'},{name:'b'}]}, "a,b,"],
 ["{#it = d.items}{$it[].x:aggSum}", {items:[{x:1},{x:2}]}, "3"],
 ["{#a=d.x}{#b=$a}{$b}", {x:1}, ""],
 ["{#a=d.x}{d.v:ifEQ(1):and($a.y):ifEQ(2):show(ok)}", {v:1,x:{y:2}}, "ok"],
 ["{#a=d.x}{d.v:show($a.y)}", {v:1,x:{y:2}}, "2"],
 ["{#a($p)=d.x[n=$p].m}{$a('b c')}", {x:[{n:'b c',m:1}]}, "1"],
 ["<p>{#na<b>me</b> = d.x}{$name}</p>", {x:1}, "<p><b></b>1</p>"],
 // options
 ["{o.lang=fr}{d.v:formatN(1)}", {v:1.5}, "1,5"],
 ["{o.timezone=Asia/Tokyo}{d.v:formatD(HH)}", {v:'2024-01-01T00:00:00Z'}, "09"],
 ["{o.useHighPrecisionArithmetic=true}{d.a:add(.b)}", {a:0.1,b:0.2}, "0.3"],
 ["{o.useHighPrecisionArithmetic=true}{d.a:add(.b + 0.1)}", {a:0.1,b:0.2}, "0.4"],
 ["{o.useHighPrecisionArithmetic=true}{d.a:mul(.b * 3):sub(0.1)}", {a:0.1,b:0.2}, "-0.04"],
 ["{o.useHighPrecisionArithmetic=true}{d.a:div(3)}", {a:'1'}, "0.33333333333333333333"],
 ["{o.useHighPrecisionArithmetic=true}{d.a:add(1)}", {a:'12345678901234567890.1'}, "12345678901234567891.1"],
 ["{o.useHighPrecisionArithmetic=true}{d.a:add(1 + 1)}", {a:'12345678901234567890.1'}, "12345678901234567892.1"],
 ["{o.useHighPrecisionArithmetic=true}{d.a:add(.b + 1)}", {a:'1', b:'12345678901234567890.1'}, "12345678901234567892.1"],
 ["{t(I saw (two) cats)}", {}, "I saw (two) cats"],
 ["{t(a b)}", {}, "X", {lang:'ES', translations:{ES:{'a b':'X'}}}],
 ["{t(a b)}", {}, "a b", {lang:'es', translations:{es:{'a b':''}}}],
 ["{d.z[].type:t:aggStrD}", {z:[{type:'a'},{type:'a'},{type:'b'}]}, "X, b", {lang:'es', translations:{es:{'a':'X'}}}],
 // values
 ["{d.v:addD(1, 'day')}", {v:'2024-02-29T00:00:00Z'}, "2024-03-01T00:00:00.000Z"],
 ["{d.v}", {v:NaN}, "NaN"],
 ["{d.v}", {v:0.1+0.2}, "0.30000000000000004"],
 // calls
 ["{d.v:show(40 FT)}", {v:1}, "40FT"],
 ["{d.v:print('')}|", {v:1}, "|"],
 ["{d.v:arrayJoin('', 1)}", {v:['a','b']}, "b"],
 ["{d.v:append(,x)}", {v:1}, "1x"],
 ["{d.v:print(a'b)}", {v:1}, "a'b"],
 ["{d.v:add(.q + .vat * d.price - 10 / 2)}", {v:1,q:2,vat:3,price:4}, "10"],
 ["{d.v:add(-.q)}", {v:1,q:2}, "-1"],
 ["{d.v:add(.unit-price)}", {v:1,'unit-price':5}, "6"],
 ["{d.v:mul(.q - 1)}", {v:3,q:2}, "3"],
 ["{d.v:add(.q * -2)}", {v:3,q:2}, "-1"],
 ["{d.v:add(.x[0].y + 1)}", {v:3,x:[{y:4}]}, "8"],
 ["{d.v:print(c.other[0].test)}", {v:3}, "ok", {complement:{value:{other:[{test:'ok'}]}}}],
 ["{d.v:print(.arr[2].id)}", {v:3, arr:[0,0,{id:9}]}, "9"],
 // loops
 ["{d[i].cars[i].wheels[i].x:add(.i):add(..i):add(...i)}{d[i+1].cars[i+1].wheels[i+1].x}", [{cars:[{wheels:[{x:0},{x:0}]},{wheels:[{x:0}]}]},{cars:[{wheels:[{x:0}]}]}], "0111"],
 ["{d.a[i].n}{d.a[0].n}{d.a[i+1].n}{d.a[1].n}", {a:[{n:1},{n:2}]}, "11212"],
 ["<t><r>{d.a[k,i].n}</r><r>{d.a[k+1,i+1].n}</r></t>", {a:[{n:'x',k:undefined},{n:'y',k:1}]}, "<t><r>y</r><r>x</r></t>"],
 ["{d.a[i].n}{d.a[i+1*.qty].n}", {a:[{n:'x',qty:2},{n:'y',qty:-1},{n:'z',qty:'a'}]}, "xx"],
 ["{d.a[i,i&lt;2].n}{d.a[i+1].n}", {a:[{n:1},{n:2},{n:3}]}, "12"],
 ["{d.a[i].b[i].v}{d.a[i].b[i+1].v}{d.a[i+1]}", {a:[{b:[{v:1},{v:2}]},{b:[{v:3}]}]}, "123"],
 ["{d.a[i].b[i, v>1].v}{d.a[i+1].b[i+1, v>1].v}", {a:[{b:[{v:1},{v:2}]},{b:[{v:3}]}]}, "23"],
 ["{d.a[i].b[i].c[i].v}{d.a[i+1].b[i+1].c[i+1].v}", {a:[{b:[{c:[{v:1},{v:2}]},{c:[{v:3}]}]},{b:[{c:[{v:4}]}]}]}, "1234"],
 ["{d.a[i].b.c[i].v}{d.a[i+1].b.c[i+1].v}", {a:[{b:{c:[{v:1},{v:2}]}},{b:{c:[{v:3}]}}]}, "123"],
 ["{d[i][i]}{d[i][i+1]};{d[i+1]}", [[1,2],[3]], "12;3;"],
 ["{d.a[i].n}{d.a[i+1].n} {d.a[i].n}{d.a[i+1].n}", {a:[{n:1},{n:2}]}, "12 12"],
 ["{d.l[i].n:cumCount}{d.l[i+1].n}", {l:[{n:'a'},{n:'b'}]}, "12"],
 ["{d.g[i].k[i].v:count} {d.g[i+1].k[i+1].v}", {g:[{k:[{v:1},{v:2}]},{k:[{v:3}]}]}, "1 2 3 "],
 ["{d.l[i, n&gt;1].n:count()}{d.l[i+1, n&gt;1].n}", {l:[{n:1},{n:2},{n:3}]}, "12"],
]
