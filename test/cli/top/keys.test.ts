import { emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type Key, type Pressed, pressed } from '../../../src/cli/top/keys.js'
import { shownEquipment } from '../../../src/cli/top/shown-equipment.js'
import { type TopState, withNews } from '../../../src/cli/top/top-state.js'
import { until } from '../../support/until.js'
import { alarmOf, coater, etcher, SAMPLE, site } from './top-samples.js'

/** What a terminal sends for the keys that type no character. */
const SENT: Readonly<Record<string, string>> = {
  down: '\x1b[B',
  up: '\x1b[A',
  end: '\x1b[F',
  pageup: '\x1b[5~',
  return: '\r',
  escape: '\x1b',
  'alt-q': '\x1bq',
  backspace: '\x7f',
  'ctrl-c': '\x03',
  'ctrl-z': '\x1a',
}

/** The keys as Node's readline reads them from a terminal. */
const read: ReadonlyMap<string, readonly Key[]> = await (async () => {
  const keys = new Map<string, readonly Key[]>()
  for (const [name, bytes] of Object.entries(SENT)) {
    const input = new PassThrough()
    const seen: Key[] = []
    emitKeypressEvents(input, { escapeCodeTimeout: 1 } as never)
    input.on('keypress', (_: string | undefined, key: Key) => seen.push(key))
    input.write(bytes)
    await until(() => seen.length > 0)
    keys.set(name, seen)
  }
  return keys
})()

/** The state after keys, and the effect of the last one. */
const press = (state: TopState, ...keys: readonly string[]): Pressed =>
  keys
    .flatMap((key) => read.get(key) ?? [{ name: key, sequence: key }])
    .reduce<Pressed>(({ state }, key) => pressed(state, key, 10), { state })
const stateAfter = (state: TopState, ...keys: readonly string[]): TopState => press(state, ...keys).state
const names = (state: TopState): string[] => shownEquipment(state).map(({ name }) => name)

test('the cursor moves and stays within the list', () => {
  expect(stateAfter(SAMPLE, 'down').selected).toBe(etcher.id)
  expect(stateAfter(SAMPLE, 'j', 'down', 'down').selected).toBe(etcher.id)
  expect(stateAfter(SAMPLE, 'end', 'pageup').selected).toBe(coater.id)
  expect(stateAfter(withNews(SAMPLE, site([])), 'down').selected).toBeUndefined()
})

test('s sorts by the next: what is not connected first, the fastest first, most alarms first', () => {
  expect(names(stateAfter(SAMPLE, 's'))).toEqual(['coater', 'etcher'])
  expect(names(stateAfter(SAMPLE, 's', 's'))).toEqual(['etcher', 'coater'])
  expect(names(stateAfter(SAMPLE, 's', 's', 's'))).toEqual(['etcher', 'coater'])
  expect(stateAfter(SAMPLE, 's', 's', 's', 's').sort).toBe('name')
})

describe('the filter', () => {
  test('narrows the list as it is typed, by name and by state', () => {
    expect(names(stateAfter(SAMPLE, '/', 'E', 't', 'c'))).toEqual(['etcher'])
    expect(names(stateAfter(SAMPLE, '/', ...'connecting'))).toEqual(['coater'])
    expect(stateAfter(SAMPLE, '/', 'q', 'backspace', 'c', 'return')).toMatchObject({
      filter: 'c',
      asking: undefined,
    })
  })

  test('is as before after Escape, and takes no controls', () => {
    const kept = { ...SAMPLE, filter: 'coat' }
    expect(stateAfter(kept, '/', 'x', 'escape').filter).toBe('coat')
    expect(stateAfter(kept, '/', '\x1b[2J').filter).toBe('coat')
    expect(stateAfter(kept, 'escape').filter).toBe('')
  })
})

describe('an alarm', () => {
  const onEtcher = { ...SAMPLE, selected: etcher.id }

  test('is acknowledged when the person says yes, and only then', () => {
    expect(press(onEtcher, 'a').effect).toBeUndefined()
    expect(press(onEtcher, 'a', 'y').effect).toEqual({ kind: 'acknowledge', alarm: alarmOf() })
    expect(press(onEtcher, 'a', 'return').effect).toBeUndefined()
    expect(stateAfter(onEtcher, 'a', 'n').notice).toBe('Nothing was acknowledged.')
  })

  test('is the one under the cursor where an equipment is open', () => {
    const alarms = [alarmOf({ id: '9', alid: '9', acknowledged: true, acknowledged_by: 'ann' }), alarmOf()]
    const opened = stateAfter(withNews(onEtcher, site([etcher, coater], alarms)), 'return')
    expect(stateAfter(opened, 'a').notice).toBe('Acknowledged already by ann.')
    expect(press(opened, 'down', 'a', 'y').effect).toMatchObject({ alarm: { id: '7' } })
  })

  test('that is not there is said', () => {
    expect(stateAfter({ ...SAMPLE, selected: coater.id }, 'a').notice).toBe(
      'coater has no alarm to acknowledge.',
    )
  })
})

test('Enter opens the equipment under the cursor, Escape comes back, and one that is removed closes', () => {
  const { state, effect } = press(SAMPLE, 'down', 'return')
  expect(state.opened).toBe(etcher.id)
  expect(effect).toEqual({ kind: 'read' })
  expect(stateAfter(state, 'escape').opened).toBeUndefined()
  expect(withNews(state, site([coater]))).toMatchObject({ opened: undefined })
})

test('q and Ctrl-C end it, Ctrl-Z suspends it, also at a question', () => {
  expect(press(SAMPLE, 'q').effect).toEqual({ kind: 'quit' })
  expect(press(SAMPLE, '/', 'ctrl-c').effect).toEqual({ kind: 'interrupt' })
  expect(press(SAMPLE, '?', 'ctrl-z').effect).toEqual({ kind: 'suspend' })
  expect(press(SAMPLE, '/', 'q').effect).toBeUndefined()
  expect(press(SAMPLE, 'alt-q').effect).toBeUndefined()
})

test('? shows the keys, and any key goes back', () => {
  expect(stateAfter(SAMPLE, '?').help).toBe(true)
  expect(stateAfter(SAMPLE, '?', 'q')).toMatchObject({ help: false })
})
