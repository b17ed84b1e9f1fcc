import { A, type Item, L, U1, U4 } from '../../../src/secs2/item.js'

/** An attribute of an object in S14F2. */
export const row = (name: string, value: Item): Item => L(A(name), value)
export const object = (id: string, ...rows: Item[]): Item => L(A(id), L(...rows))
/** S14F2 with these objects. */
export const objects = (...all: Item[]): Item => L(L(...all), L(U1(0), L()))
/** S14F2, or S14F10, of equipment that does not know the type. */
export const NO_SUCH_TYPE = L(L(), L(U1(1), L(L(U4(2), A('no such type')))))
