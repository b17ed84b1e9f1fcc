export { equipmentOffline as default } from '../../src/cli/equipment/control-verbs.js'
