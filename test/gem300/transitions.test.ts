import { describe, expect, test } from 'vitest'
import {
  CARRIER_ACCESSING_TRANSITIONS,
  CARRIER_ACCESSING_WORDS,
  CARRIER_ID_TRANSITIONS,
  CARRIER_ID_WORDS,
  SLOT_MAP_TRANSITIONS,
  SLOT_MAP_WORDS,
} from '../../src/gem300/carrier.js'
import { codeOf, wordOf } from '../../src/gem300/code-words.js'
import { CONTROL_JOB_TRANSITIONS, CONTROL_JOB_WORDS } from '../../src/gem300/control-job.js'
import { EPT_TRANSITIONS, EPT_WORDS } from '../../src/gem300/performance.js'
import {
  ACCESS_MODE_TRANSITIONS,
  ACCESS_MODE_WORDS,
  ASSOCIATION_TRANSITIONS,
  ASSOCIATION_WORDS,
  PORT_TRANSFER_TRANSITIONS,
  PORT_TRANSFER_WORDS,
  RESERVATION_TRANSITIONS,
  RESERVATION_WORDS,
} from '../../src/gem300/port.js'
import { PROCESS_JOB_TRANSITIONS, PROCESS_JOB_WORDS } from '../../src/gem300/process-job.js'
import {
  SUBSTRATE_ID_TRANSITIONS,
  SUBSTRATE_ID_WORDS,
  SUBSTRATE_LOCATION_TRANSITIONS,
  SUBSTRATE_LOCATION_WORDS,
  SUBSTRATE_PROCESSING_TRANSITIONS,
  SUBSTRATE_PROCESSING_WORDS,
  SUBSTRATE_TRANSITIONS,
  SUBSTRATE_WORDS,
} from '../../src/gem300/substrate.js'
import { type Transition, transitionOn } from '../../src/gem300/transition.js'

type Row = Transition<string, string>
type Words = Readonly<Record<number, string>>

/** Name, transitions, the numbers that they have together, the words on the wire, and states that have no number. */
const MACHINES: readonly (readonly [string, readonly Row[], readonly number[], Words, readonly string[]])[] =
  [
    [
      'port transfer',
      PORT_TRANSFER_TRANSITIONS,
      numbers(1, 10),
      PORT_TRANSFER_WORDS,
      ['IN_SERVICE', 'TRANSFER_READY'],
    ],
    ['access mode', ACCESS_MODE_TRANSITIONS, numbers(1, 3), ACCESS_MODE_WORDS, []],
    ['reservation', RESERVATION_TRANSITIONS, numbers(1, 3), RESERVATION_WORDS, []],
    ['association', ASSOCIATION_TRANSITIONS, numbers(1, 4), ASSOCIATION_WORDS, []],
    ['carrier ID', CARRIER_ID_TRANSITIONS, [...numbers(2, 11), 21], CARRIER_ID_WORDS, []],
    ['slot map', SLOT_MAP_TRANSITIONS, [...numbers(12, 16), 21], SLOT_MAP_WORDS, []],
    ['accessing', CARRIER_ACCESSING_TRANSITIONS, numbers(17, 21), CARRIER_ACCESSING_WORDS, []],
    ['process job', PROCESS_JOB_TRANSITIONS, numbers(1, 18), PROCESS_JOB_WORDS.standard, []],
    ['control job', CONTROL_JOB_TRANSITIONS, numbers(1, 13), CONTROL_JOB_WORDS, []],
    ['substrate', SUBSTRATE_TRANSITIONS, numbers(1, 9), SUBSTRATE_WORDS.standard, []],
    [
      'processing',
      SUBSTRATE_PROCESSING_TRANSITIONS,
      numbers(10, 14),
      SUBSTRATE_PROCESSING_WORDS.standard,
      [],
    ],
    ['substrate ID', SUBSTRATE_ID_TRANSITIONS, numbers(16, 21), SUBSTRATE_ID_WORDS, []],
    ['location', SUBSTRATE_LOCATION_TRANSITIONS, [1, 2], SUBSTRATE_LOCATION_WORDS.standard, []],
    ['performance', EPT_TRANSITIONS, numbers(1, 9), EPT_WORDS, []],
  ]

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

const statesIn = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ from, to }) => [...from, to])),
]

/** All states that triggers lead to from the first state of the first row. */
function reached(rows: readonly Row[]): Set<string> {
  const found = new Set([rows[0]?.from[0] ?? ''])
  for (const state of found) for (const { from, to } of rows) if (from.includes(state)) found.add(to)
  return found
}

describe.each(MACHINES)('The transitions of the %s', (_, rows, expected, words, numberless) => {
  test('are those of the standard', () => {
    expect([...new Set(rows.map(({ number }) => number))]).toEqual(expected)
  })

  test('reach every state, and say for each state and trigger where it leads', () => {
    expect([...reached(rows)].sort()).toEqual(statesIn(rows).sort())
    const pairs = rows.flatMap(({ from, on }) => from.map((state) => `${state} ${on}`))
    expect(pairs).toEqual([...new Set(pairs)])
  })

  test('lead from and to states that the wire has a number for, and no others', () => {
    const told = statesIn(rows).filter((state) => state !== 'NO_STATE' && !numberless.includes(state))
    const known = Object.values(words).filter((word) => word !== 'NO_STATE')
    expect([...new Set(known)].sort()).toEqual(told.sort())
    expect(known).toEqual([...new Set(known)])
  })
})

test('A number without a word stays a number', () => {
  expect(wordOf(PROCESS_JOB_WORDS.standard, 3)).toBe('PROCESSING')
  expect(wordOf(PROCESS_JOB_WORDS.standard, 5)).toBe('unknown (5)')
  expect(wordOf(PROCESS_JOB_WORDS.executing_5, 5)).toBe('EXECUTING')
  expect(wordOf(PROCESS_JOB_WORDS.executing_5, 10)).toBe('unknown (10)')
  expect(wordOf(SUBSTRATE_PROCESSING_WORDS.one_based, 0)).toBe('unknown (0)')
  expect(wordOf(CONTROL_JOB_WORDS, 18446744073709551615n)).toBe('unknown (18446744073709551615)')
  expect(wordOf(CONTROL_JOB_WORDS, 'toString')).toBe('unknown (toString)')
  expect(wordOf(CONTROL_JOB_WORDS, '')).toBe('unknown ()')
  expect(wordOf(CONTROL_JOB_WORDS, 0.5)).toBe('unknown (0.5)')
})

test('Every word of every table has the number that leads to it, and one that a table lacks has none', () => {
  for (const words of [PROCESS_JOB_WORDS, SUBSTRATE_WORDS, SUBSTRATE_PROCESSING_WORDS])
    for (const variant of Object.values<Words>(words))
      for (const [code, word] of Object.entries(variant)) expect(codeOf(variant, word)).toBe(Number(code))
  expect(codeOf(SUBSTRATE_PROCESSING_WORDS.one_based, 'LOST')).toBeUndefined()
})

test('A trigger that a state does not accept makes no transition', () => {
  expect(transitionOn(PROCESS_JOB_TRANSITIONS, 'PAUSED', 'stop')).toMatchObject({
    number: 12,
    to: 'STOPPING',
  })
  expect(transitionOn(PROCESS_JOB_TRANSITIONS, 'PROCESS_COMPLETE', 'stop')).toBeUndefined()
})
