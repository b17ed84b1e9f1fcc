export { equipmentAlarms as default } from '../../src/cli/equipment/equipment-verbs.js'
