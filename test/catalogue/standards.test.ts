import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE as CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { STANDARDS } from '../../src/catalogue/standards.js'
import { STREAM_SUBJECTS } from '../../src/catalogue/streams.js'

/** Functions that each stream has at least; 0 is not counted, and stream 11 is no longer in use. */
const FUNCTIONS: Readonly<Record<number, number>> = {
  1: 24,
  2: 64,
  3: 36,
  4: 27,
  5: 18,
  6: 30,
  7: 44,
  8: 4,
  9: 7,
  10: 9,
  12: 19,
  13: 16,
  14: 28,
  15: 54,
  16: 30,
  17: 14,
  18: 16,
  19: 20,
  20: 34,
  21: 20,
}

test('no stream has lost a function', () => {
  const counted = new Map<number, Set<number>>()
  for (const { stream, function: fn } of CATALOGUE.messages) {
    counted.set(stream, (counted.get(stream) ?? new Set()).add(fn))
  }
  const lost = Object.entries(FUNCTIONS).filter(
    ([stream, least]) => (counted.get(Number(stream))?.size ?? 0) < least,
  )
  expect(lost).toEqual([])
})

/** What GEM asks of equipment and host, capability by capability (SEMI E30), as makers' GEM manuals tell it. */
const GEM = {
  'establishing communications': 'S1F1 S1F2 S1F13 S1F14',
  'control state': 'S1F15 S1F16 S1F17 S1F18',
  'status data': 'S1F3 S1F4 S1F11 S1F12',
  'names of variables and events': 'S1F21 S1F22 S1F23 S1F24',
  'event reports': 'S2F33 S2F34 S2F35 S2F36 S2F37 S2F38 S2F39 S2F40 S6F5 S6F6 S6F11 S6F12',
  'event reports asked for': 'S6F15 S6F16 S6F17 S6F18 S6F19 S6F20 S6F21 S6F22',
  'annotated event reports': 'S6F13 S6F14',
  traces: 'S2F23 S2F24 S6F1 S6F2',
  limits: 'S2F45 S2F46 S2F47 S2F48',
  alarms: 'S5F1 S5F2 S5F3 S5F4 S5F5 S5F6 S5F7 S5F8',
  'remote control': 'S2F21 S2F22 S2F41 S2F42 S2F49 S2F50',
  'equipment constants': 'S2F13 S2F14 S2F15 S2F16 S2F29 S2F30',
  'process programs': 'S7F1 S7F2 S7F3 S7F4 S7F5 S7F6 S7F17 S7F18 S7F19 S7F20',
  'formatted process programs': 'S7F23 S7F24 S7F25 S7F26 S7F27 S7F28 S7F29 S7F30',
  'large process programs': 'S7F37 S7F38 S7F39 S7F40 S7F41 S7F42 S7F43 S7F44',
  terminals: 'S10F1 S10F2 S10F3 S10F4 S10F5 S10F6 S10F7 S10F9 S10F10',
  'error messages': 'S9F1 S9F3 S9F5 S9F7 S9F9 S9F11 S9F13',
  clock: 'S2F17 S2F18 S2F31 S2F32',
  spooling: 'S2F43 S2F44 S6F23 S6F24',
  loopback: 'S2F25 S2F26',
}

/** The messages of the standards for 300 mm equipment, on streams 3, 14 and 16. */
const FOR_300_MM = {
  'carriers (E87)':
    'S3F17 S3F18 S3F19 S3F20 S3F21 S3F22 S3F23 S3F24 S3F25 S3F26 S3F27 S3F28 S3F29 S3F30 S3F31 S3F32',
  'process jobs (E40)':
    'S16F1 S16F2 S16F3 S16F4 S16F5 S16F6 S16F7 S16F8 S16F9 S16F10 S16F11 S16F12 S16F13 S16F14 S16F15 S16F16 S16F17 S16F18 S16F19 S16F20 S16F21 S16F22 S16F23 S16F24 S16F25 S16F26 S16F29 S16F30',
  'control jobs (E94)': 'S14F9 S14F10 S14F11 S14F12 S14F19 S14F20 S16F27 S16F28',
  'objects of E90, E94 and E116': 'S14F1 S14F2 S14F3 S14F4 S6F11 S6F12',
}

test('every capability has its messages', () => {
  const missing = Object.entries({ ...GEM, ...FOR_300_MM }).flatMap(([capability, messages]) =>
    messages
      .split(' ')
      .filter((message) => !isKnown(message))
      .map((message) => `${capability}: ${message}`),
  )
  expect(missing).toEqual([])
})

/** Codes that a host has to understand, with how many values each has. */
const CODES = {
  ACKA: 2,
  ACKC3: 2,
  ACKC5: 2,
  ACKC6: 2,
  ACKC7: 8,
  ACKC10: 3,
  ACKC13: 11,
  ACKC15: 5,
  ACKC7A: 6,
  ALCD: 18,
  ALED: 2,
  CAACK: 7,
  CEPACK: 5,
  CMDA: 3,
  COMMACK: 2,
  CPACK: 4,
  CSAACK: 4,
  CTLJOBCMD: 8,
  DATAACK: 3,
  DRACK: 5,
  EAC: 4,
  ERACK: 2,
  ERRCODE: 68,
  GRANT: 4,
  GRANT6: 3,
  GRNT1: 7,
  HCACK: 7,
  LIMITACK: 8,
  LRACK: 6,
  LVACK: 5,
  MDACK: 4,
  OBJACK: 2,
  OFLACK: 1,
  ONLACK: 3,
  PPGNT: 7,
  PRSTATE: 11,
  RMACK: 5,
  RRACK: 5,
  RSACK: 5,
  RSDA: 3,
  RSDC: 2,
  RSPACK: 2,
  SDACK: 2,
  STRACK: 5,
  SVCACK: 4,
  TIAACK: 6,
  TIACK: 2,
  VLAACK: 3,
}

test('codes have a meaning for each of their values', () => {
  const meanings = Object.keys(CODES).map((name) => {
    const texts = Object.values(CATALOGUE.item(name)?.values ?? {})
    return [name, texts.filter((text) => text.trim() !== '').length]
  })
  expect(Object.fromEntries(meanings)).toEqual(CODES)
})

test('what a code accepts is one of its values', () => {
  for (const { name, values, accepts } of CATALOGUE.items) {
    expect([name, accepts?.filter((code) => values?.[code] === undefined) ?? []]).toEqual([name, []])
  }
})

test('every message that a standard is said to have is known', () => {
  const named = STANDARDS.flatMap(
    ({ messages, note = '' }) => [...messages, note].join(' ').match(/S\d+F\d+/g) ?? [],
  )
  expect(named.length).toBeGreaterThan(STANDARDS.length)
  expect(named.filter((message) => !isKnown(message))).toEqual([])
})

test('every stream has a subject', () => {
  expect(Object.keys(STREAM_SUBJECTS)).toEqual(Object.keys(FUNCTIONS))
})

function isKnown(message: string): boolean {
  const [stream = 0, fn = 0] = message.slice(1).split('F').map(Number)
  return CATALOGUE.rows(stream, fn).length > 0
}
