import {
  type AbstractSecs2Item,
  Secs2ItemFactory,
  Secs2ItemNumeric,
  SecsItemType,
  A as theirA,
  BOOLEAN as theirBoolean,
  F4 as theirF4,
  F8 as theirF8,
  I1 as theirI1,
  I2 as theirI2,
  L as theirL,
  U1 as theirU1,
  U2 as theirU2,
  U4 as theirU4,
  U8 as theirU8,
} from 'secs4js'
import { A, B, BOOLEAN, F4, F8, I1, I2, type Item, L, U1, U2, U4, U8 } from '../src/secs2/item.js'
import { numberItem } from '../src/secs2/number.js'

/** What makes items of plain values, ours or theirs. */
interface Maker<T> {
  L(...items: readonly T[]): T
  A(text: string): T
  B(...bytes: readonly number[]): T
  BOOLEAN(...values: readonly boolean[]): T
  I1(...values: readonly number[]): T
  I2(...values: readonly number[]): T
  U1(...values: readonly number[]): T
  U2(...values: readonly number[]): T
  U4(...values: readonly number[]): T
  U8(...values: readonly bigint[]): T
  F4(...values: readonly number[]): T
  F8(...values: readonly number[]): T
  /** Many numbers at once. */
  arrayU4(values: readonly number[]): T
  /** Many numbers at once, from what this library holds them in. */
  manyU4(values: Uint32Array): T
  manyF4(values: Float32Array): T
}

export const OURS: Maker<Item> = {
  ...{ L, A, B, BOOLEAN, I1, I2, U1, U2, U4, U8, F4, F8 },
  arrayU4: (values) => numberItem('U4', values),
  manyU4: (value) => ({ format: 'U4', value }),
  manyF4: (value) => ({ format: 'F4', value }),
}

export const THEIRS: Maker<AbstractSecs2Item> = {
  L: theirL,
  A: theirA,
  B: (...bytes) => Secs2ItemFactory.createBinaryItem(Buffer.from(bytes)),
  BOOLEAN: theirBoolean,
  I1: theirI1,
  I2: theirI2,
  U1: theirU1,
  U2: theirU2,
  U4: theirU4,
  U8: (...values) => theirU8(...values),
  F4: theirF4,
  F8: theirF8,
  // Its own functions take each value as an argument, and a call has room for about a hundred thousand.
  arrayU4: (values) => new Secs2ItemNumeric(SecsItemType.U4, [...values]),
  manyU4: (values) => new Secs2ItemNumeric(SecsItemType.U4, Array.from(values)),
  manyF4: (values) => new Secs2ItemNumeric(SecsItemType.F4, Array.from(values)),
}

export interface Case {
  readonly name: string
  /** The item of the case's plain values. */
  make<T>(maker: Maker<T>): T
  /** Takes secs4js a second a run: fewer looks have to do. */
  readonly large?: true
}

/** What an etcher reports at the end of a step: lot, recipe, wafer and what was measured. */
const reported = <T>({ A, B, BOOLEAN, I1, I2, U1, U2, U4, U8, F4, F8 }: Maker<T>): readonly T[] => [
  A('LOT-2024A-17.0042'),
  A('POLY-ETCH-02/ED.7'),
  A('W0017'),
  A('2026031412305900'),
  A('operator.j.smith.2'),
  U1(17),
  U1(4),
  BOOLEAN(false),
  U4(104_512),
  U4(86_400),
  I2(-125),
  I1(-3),
  U2(4001),
  F4(72.5),
  F4(12.25),
  F4(450.125),
  F4(101.5),
  F8(1234.56789),
  U8(9_007_199_254_740_993n),
  B(3, 128),
]

const S6F11 = <T>(maker: Maker<T>, reports: number): T => {
  const { L, U4 } = maker
  const all = Array.from({ length: reports }, (_, at) => L(U4(1001 + at), L(...reported(maker))))
  return L(U4(4711), U4(3001), L(...all))
}

const TEN_THOUSAND = Array.from({ length: 10_000 }, (_, at) => (at * 2_654_435_761) % 2 ** 32)
const TEN_THOUSAND_HELD = Uint32Array.from(TEN_THOUSAND)
const SIXTEEN_MEBIBYTES = Float32Array.from({ length: 2 ** 22 - 1 }, (_, at) => Math.sin(at))

function nested<T>({ L, U4 }: Maker<T>, depth: number): T {
  let item = L(U4(1))
  for (let above = 1; above < depth; above++) item = L(item)
  return item
}

const times = <T>(length: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => make(at))

export const CASES: readonly Case[] = [
  { name: 'S1F13', make: ({ L, A }) => L(A('ETCH-3000'), A('4.2.1')) },
  { name: 'S6F11, 20 variables', make: (maker) => S6F11(maker, 1) },
  { name: 'list of 10,000 U4', make: ({ L, U4 }) => L(...TEN_THOUSAND.map((value) => U4(value))) },
  { name: 'U4 of 10,000, from an array of numbers', make: ({ arrayU4 }) => arrayU4(TEN_THOUSAND) },
  { name: 'U4 of 10,000, from a Uint32Array', make: ({ manyU4 }) => manyU4(TEN_THOUSAND_HELD) },
  { name: 'lists 64 deep', make: (maker) => nested(maker, 64) },
  { name: 'S6F11, 500 reports of 20', make: (maker) => S6F11(maker, 500), large: true },
  { name: 'F4 of 16 MiB', make: ({ manyF4 }) => manyF4(SIXTEEN_MEBIBYTES), large: true },
  {
    name: '1,000,000 items, 1,000 in a list',
    make: ({ L, U1, A }) =>
      L(...times(1000, () => L(...times(1000, (at) => (at % 2 === 0 ? U1(at & 0xff) : A('x')))))),
    large: true,
  },
]
