import { expect, test } from 'vitest'
import { byName } from '../../../src/cli/equipment/equipment-name.js'
import type { Equipment } from '../../../src/contract/equipment.js'

test('people find equipment by its name, numbers counted as such', () => {
  const named = (name: string): Equipment => ({ name }) as Equipment
  const found = byName(['tool10', 'etcher', 'tool2', 'Coater'].map(named))
  expect(found.map(({ name }) => name)).toEqual(['Coater', 'etcher', 'tool2', 'tool10'])
})
