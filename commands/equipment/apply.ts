export { equipmentApply as default } from '../../src/cli/equipment/apply.js'
