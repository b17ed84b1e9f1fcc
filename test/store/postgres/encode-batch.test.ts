import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/kit/text/json.js'
import { Base64, StoredValue } from '../../../src/store/entry.js'
import { textArray } from '../../../src/store/postgres/binary-array.js'
import type { Fence } from '../../../src/store/postgres/fence.js'
import { appendArguments, encodeCall } from '../../../src/store/postgres/journal/encode-batch.js'

class Long extends StoredValue {
  made = 0

  get json(): string {
    this.made += 1
    return '{"body":"AAECAw=="}'
  }

  override get parts(): readonly (string | Base64)[] {
    return ['{"body":"', new Base64(new Uint8Array([0, 1, 2, 3])), '"}']
  }
}

test('the text of a long entry is made when its batch is appended, not while it waits', () => {
  const long = new Long()
  const data = long as unknown as JsonObject
  const call = encodeCall([
    { key: 'eq_1', type: 'message', name: 'received', at: '2026-01-01T00:00:00.000Z', data },
  ])
  expect(long.made).toBe(0)
  expect(call.length).toBe(long.json.length)
  const fence = { isOwned: () => false, epochOf: () => 0 } as unknown as Fence
  expect(appendArguments([call], fence)).toContainEqual(textArray(['{"body":"AAECAw=="}']))
})
