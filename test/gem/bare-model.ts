import type { EquipmentModel } from '../../src/gem/equipment/equipment-model.js'

/** An equipment that has nothing but what `change` gives it. */
export const bareModel = (change: Partial<EquipmentModel> = {}): EquipmentModel => ({
  mdln: 'TESTER',
  softrev: '3',
  controlState: 'ONLINE_REMOTE',
  controlEvents: {},
  variables: [],
  constants: [],
  reports: [],
  events: [],
  alarms: [],
  commands: [],
  ...change,
})
