import { describe, expect, test } from 'vitest'
import { parseDuration, parseTime } from '../../../src/cli/input/durations.js'

describe('a duration', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
    ['0s', 0],
    ['1h30m', 5_400_000],
    ['1d12h', 129_600_000],
    ['1m500ms', 60_500],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text, '--wait')).toBe(ms)
  })

  test.each(['', '30', 's', '-1s', '1 s', '1S', '1w', '1e3s', '0x1s', '30m1h', '1h1h', '1h 30m'])(
    '"%s" is none',
    (text) => {
      expect(() => parseDuration(text, '--wait')).toThrow(expect.objectContaining({ kind: 'usage' }))
    },
  )
})

describe('a time', () => {
  const now = new Date('2026-03-01T08:00:00.000Z')

  test.each([
    ['10m', '2026-03-01T07:50:00.000Z'],
    ['2026-03-01T09:00:00+09:00', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T00:00:00.5Z', '2026-03-01T00:00:00.500Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseTime(text, '--since', now)).toBe(iso)
  })

  const local = (...parts: [number, number, number, number?, number?]): string =>
    new Date(...(parts as [number, number, number])).toISOString()
  const noon = new Date(2026, 2, 1, 12, 0, 0)

  test.each([
    ['1h30m', new Date(noon.getTime() - 5_400_000).toISOString()],
    ['08:00', local(2026, 2, 1, 8)],
    ['8:05', local(2026, 2, 1, 8, 5)],
    ['18:00', local(2026, 1, 28, 18)],
    ['today', local(2026, 2, 1)],
    ['yesterday', local(2026, 1, 28)],
    ['2026-02-03', local(2026, 1, 3)],
    ['2026-02-03 08:00', local(2026, 1, 3, 8)],
    ['2026-02-03T08:00:00', local(2026, 1, 3, 8)],
  ])('%s at noon of 1 March is local time', (text, iso) => {
    expect(parseTime(text, '--since', noon)).toBe(iso)
  })

  test.each(['tomorrow', '24:00', '08:60', '2026-02-31', '2026-13-01', '2026-13-01T00:00:00Z', '8', ''])(
    '"%s" is none',
    (text) => {
      expect(() => parseTime(text, '--since', now)).toThrow('--since takes a time')
    },
  )
})
