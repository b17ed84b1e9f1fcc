import { expect, test } from 'vitest'
import { Problem } from '../../src/contract/errors.js'
import { problemOf, throwBug } from '../../src/gateway/store-problem.js'
import {
  ChangedElsewhere,
  NotBegun,
  NotOwner,
  StoreDamaged,
  StoreUnavailable,
} from '../../src/store/failure.js'

const OWN = new Problem('name_not_found', '')

test.each<[error: unknown, problem: object | undefined]>([
  [OWN, OWN],
  [new NotOwner('eq'), { code: 'equipment_unowned', extra: { retry_after: 1 } }],
  [new ChangedElsewhere('eq'), { code: 'equipment_unowned', extra: { retry_after: 1 } }],
  [new NotBegun(), { code: 'equipment_unowned', extra: { retry_after: 1 } }],
  [
    new StoreUnavailable('The database is away: secret'),
    { code: 'store_unavailable', message: expect.stringMatching(/^The database of/) },
  ],
  [new StoreUnavailable('The disk is full'), { message: expect.stringMatching(/^The disk of/) }],
  [new StoreUnavailable('The diskette is full'), { message: expect.stringMatching(/^The store of/) }],
  [new StoreUnavailable('It says: The disk is full'), { message: expect.stringMatching(/^The store of/) }],
  [
    new StoreDamaged('/data/secret/journal.1', 7, 'x'),
    { code: 'history_damaged', message: expect.not.stringContaining('secret') },
  ],
  [new TypeError('a bug'), undefined],
  ['text', undefined],
])('%o', (error, problem) => {
  if (problem === undefined) {
    expect(problemOf(error)).toBeUndefined()
    expect(() => throwBug(error)).toThrow()
  } else {
    expect(problemOf(error)).toMatchObject(problem)
    expect(() => throwBug(error)).not.toThrow()
  }
})
