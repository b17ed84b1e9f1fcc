import { describe, expect, test } from 'vitest'
import { tapAdvice, tapStanding } from '../../src/contract/tap-words.js'
import type { Tap, TapLink } from '../../src/contract/topics/equipment/equipment-tap.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const TAP: Tap = {
  ...{ listen_port: 6000, host_address: '10.0.0.9', host_port: null },
  ...{ pause_seconds: 2, reads: 'short', writes: false },
}
const LINK: TapLink = {
  ...{ state: 'waiting', since: '2026-03-01T08:00:00.000Z', host: null },
  ...{ refused: 0, last_refused: null, unrecorded: 0 },
}
const passive = (link: Partial<TapLink>, change: object = {}) =>
  sampleEquipment({ tap: TAP, tap_link: { ...LINK, ...link }, connection_state: 'LISTENING', ...change })
const active = (link: Partial<TapLink>) =>
  passive(link, { mode: 'active', tap: { ...TAP, listen_port: null, host_port: 5000 }, port: 5001 })
const refused = (at: string) => ({
  ...{ refused: 1, last_refused: { address: '10.0.0.7', reason: 'stranger', at } as const },
})
const advice = (equipment: ReturnType<typeof passive>) => tapAdvice(equipment, String)
const text = (equipment: ReturnType<typeof passive>) => advice(equipment)?.text ?? ''

describe('why tapped equipment and its host do not talk', () => {
  test('nobody dials', () => {
    expect(text(passive({}))).toMatch(/6000.*10\.0\.0\.9.*10\.0\.0\.5:5000/)
    expect(text(active({}))).toMatch(/5001.*10\.0\.0\.5.*10\.0\.0\.9:5000/)
  })
  test('a wrong address dials, unless that was before the last connection', () => {
    const wrong = passive(refused('2026-03-01T09:00:00.000Z'))
    expect(text(wrong)).toContain('10.0.0.7')
    expect(advice(wrong)?.command).toContain('--tap-host 10.0.0.7')
    expect(text(passive(refused('2026-03-01T07:00:00.000Z')))).not.toContain('10.0.0.7')
  })
  test('the other side does not take the connection', () => {
    expect(advice(passive({ state: 'unreached' }))).toMatchObject({
      text: expect.stringContaining('10.0.0.5:5000'),
      command: 'equipment test 10.0.0.5:5000',
    })
    expect(text(active({ state: 'unreached' }))).toContain('10.0.0.9:5000')
  })
  test('both are connected, and neither selects', () => {
    expect(advice(passive({ state: 'connected' }, { connection_state: 'NOT_SELECTED' }))?.command).toBe(
      'wire tail EQ',
    )
  })
  test('nothing is advised where they talk, where they are not meant to, and without a tap', () => {
    expect(advice(passive({ state: 'connected' }, { connection_state: 'SELECTED' }))).toBeUndefined()
    expect(advice(passive({ state: 'closed' }, { enabled: false }))).toBeUndefined()
    expect(advice(sampleEquipment({ connection_state: 'LISTENING' }))).toBeUndefined()
  })
})

test('how a tap stands, also of a gateway that does not tell', () => {
  expect(tapStanding(passive({}))).toContain('at port 6000')
  expect(tapStanding(passive({ state: 'connected' }, { connection_state: 'NOT_SELECTED' }))).toBe(
    'host 10.0.0.9 connected',
  )
  expect(tapStanding(passive({ state: 'closed' }))).toContain('closed')
  expect(tapStanding(passive({ state: 'unreached' }))).toContain('equipment does not take it')
  expect(tapStanding(sampleEquipment({ tap: TAP, tap_link: null }))).toBe('host 10.0.0.9 connected')
  expect(tapStanding(sampleEquipment())).toBe('')
})
