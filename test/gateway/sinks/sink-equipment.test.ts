import { expect, test } from 'vitest'
import type { Identity, IdentityChange } from '../../../src/gateway/equipment/equipment-identities.js'
import { EquipmentIdentities } from '../../../src/gateway/equipment/equipment-identities.js'
import { IDENTITY } from '../../../src/gateway/records/journal-kinds.js'
import { SinkEquipment } from '../../../src/gateway/sinks/sink-equipment.js'
import type { Entry } from '../../../src/store/entry.js'

const identity = (name: string, area: string): Identity => ({ name, labels: { area } })

/** `eq_a` was in litho up to entry 5, `eq_gone` was renamed and deleted after entry 9, `eq_b` never changed. */
const NOW: Readonly<Record<string, Identity>> = {
  eq_a: identity('etch-1', 'etch'),
  eq_b: identity('litho-1', 'litho'),
}
const CHANGES: readonly (Omit<IdentityChange, 'seq'> & { key: string; seq: number })[] = [
  { key: 'eq_a', seq: 5, before: identity('old-1', 'litho'), now: identity('etch-1', 'etch') },
  { key: 'eq_gone', seq: 7, before: identity('first-9', 'none'), now: identity('etch-9', 'etch') },
  { key: 'eq_gone', seq: 9, before: identity('etch-9', 'etch'), now: null },
]

function sinkOf(equipment: readonly string[] | null, label_selector: string | null = null) {
  const identities = new EquipmentIdentities(() => 1)
  for (const { key, seq, before, now } of CHANGES)
    identities.apply({ key, seq, data: { before, now } } as unknown as Entry)
  const registry = { ids: Object.keys(NOW), identityOf: (id: string) => NOW[id] }
  return new SinkEquipment({ equipment, label_selector }, { registry, identities } as never)
}

type Case = [equipment: string[] | null, selector: string | null, now: string, searched: string]

test.each<Case>([
  [null, null, 'eq_a eq_b', 'all'],
  [[], null, '', ''],
  [['eq_a'], null, 'eq_a', 'eq_a'],
  [['eq_gone'], null, '', 'eq_gone'],
  [['eq_none'], null, '', 'eq_none'],
  [['etch-*'], null, 'eq_a', 'eq_a eq_gone'],
  [['etch-*', 'eq_b'], null, 'eq_a eq_b', 'eq_a eq_b eq_gone'],
  [['old-?'], null, '', 'eq_a'],
  [['first-9'], null, '', 'eq_gone'],
  [null, 'area=etch', 'eq_a', 'eq_a eq_gone'],
  [null, 'area=litho', 'eq_b', 'eq_a eq_b'],
  [['eq_gone', 'eq_b'], 'area=litho', 'eq_b', 'eq_b'],
  [['etch-*'], 'area=litho', '', ''],
])('of %j with the labels %s are %j now, and %j is searched', (equipment, selector, now, searched) => {
  const sink = sinkOf(equipment, selector)
  expect(['eq_a', 'eq_b', 'eq_gone'].filter((id) => sink.hasNow(id)).join(' ')).toBe(now)
  const { key } = sink.entries
  expect(key ? [...key].toSorted().join(' ') : 'all').toBe(searched)
})

test.each<[equipment: string[] | null, selector: string | null, key: string, seq: number, isOf: boolean]>([
  [['etch-*'], null, 'eq_a', 5, false],
  [['etch-*'], null, 'eq_a', 6, true],
  [['old-*'], null, 'eq_a', 5, true],
  [['old-*'], null, 'eq_a', 6, false],
  [['etch-*'], null, 'eq_gone', 9, true],
  [['eq_a'], null, 'eq_a', 5, true],
  [['eq_none'], null, 'eq_none', 1, true],
  [['litho-*'], null, 'eq_none', 1, false],
  [null, 'area=litho', 'eq_a', 5, true],
  [null, 'area=litho', 'eq_a', 6, false],
  [['eq_a'], 'area=litho', 'eq_a', 6, false],
])('%j with the labels %s: of %s entry %i is delivered: %s', (equipment, selector, key, seq, isOf) => {
  const { where } = sinkOf(equipment, selector).entries
  expect(where?.({ type: 'alarm', key, seq } as Entry)).toBe(isOf)
  expect(where?.({ type: IDENTITY.type, key, seq } as Entry)).toBe(true)
})
