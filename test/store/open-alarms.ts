import type { JsonObject } from '../../src/kit/text/json.js'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import type { View } from '../../src/store/view.js'

/** A view for tests: what was set and not cleared since, and how often each was set. */
export class OpenAlarms implements View {
  readonly name = 'open-alarms'
  readonly kinds = [{ type: 'alarm' }]
  readonly open = new Map<string, { first: number; count: number }>()
  /** Entries and lines it was shown. */
  shown = 0
  loaded = 0

  constructor(readonly version = 1) {}

  load(line: JsonObject): void {
    this.loaded++
    this.open.set(String(line['key']), { first: Number(line['first']), count: Number(line['count']) })
  }

  apply({ seq, key, name }: Entry): void {
    this.shown++
    const known = this.open.get(key)
    if (name === 'cleared') this.open.delete(key)
    else this.open.set(key, { first: known?.first ?? seq, count: (known?.count ?? 0) + 1 })
  }

  *lines(): Generator<JsonObject> {
    for (const [key, { first, count }] of this.open) yield { key, first, count }
  }

  *pinned(): Generator<number> {
    for (const { first } of this.open.values()) yield first
  }
}

export const alarm = (key: string, name: 'set' | 'cleared', at: string): NewEntry => ({
  key,
  type: 'alarm',
  name,
  at,
  data: { text: 'x'.repeat(40) },
})
