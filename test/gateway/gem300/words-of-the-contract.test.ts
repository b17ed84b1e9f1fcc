import { expect, test } from 'vitest'
import { FOLLOWED_KINDS, OCCURRENCES } from '../../../src/contract/topics/gem300/mapping.js'
import * as gem300 from '../../../src/gem300/mapping/mapping.js'
import { OBJECT_KINDS } from '../../../src/gem300/object-states.js'

// The contract imports nothing, and the protocol does not import the contract.
test('the API has the kinds and the occurrences that the protocol has', () => {
  expect(FOLLOWED_KINDS).toEqual(OBJECT_KINDS)
  expect(OCCURRENCES).toEqual(gem300.OCCURRENCES)
})
