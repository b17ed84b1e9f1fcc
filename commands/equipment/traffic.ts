export { equipmentTraffic as default } from '../../src/cli/equipment/equipment-verbs.js'
