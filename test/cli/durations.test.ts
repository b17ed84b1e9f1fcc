import { describe, expect, test } from 'vitest'
import { parseDuration, parseTime } from '../../src/cli/durations.js'

describe('a duration', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
    ['0s', 0],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text, '--wait')).toBe(ms)
  })

  test.each(['', '30', 's', '-1s', '1 s', '1S', '1w', '1e3s', '0x1s'])('"%s" is none', (text) => {
    expect(() => parseDuration(text, '--wait')).toThrow(expect.objectContaining({ kind: 'usage' }))
  })
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

  test.each(['yesterday', '2026-03-01', '2026-03-01T00:00:00', '2026-13-01T00:00:00Z', ''])(
    '"%s" is none',
    (text) => {
      expect(() => parseTime(text, '--since', now)).toThrow('--since takes a time')
    },
  )
})
