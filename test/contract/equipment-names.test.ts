import { expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import { NO_EQUIPMENT_NAMES } from '../../src/contract/schema.js'

test('no equipment is named as what else a path has in the place of its id', () => {
  const fixed = Object.values(endpoints)
    .map(({ path }) => path.split('/'))
    .filter(([, topic, step = '']) => topic === 'equipment' && step !== '' && !step.startsWith('{'))
    .map(([, , step]) => step)
  expect([...NO_EQUIPMENT_NAMES].sort()).toEqual([...new Set([...fixed, '.', '..'])].sort())
})
