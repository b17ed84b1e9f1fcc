export { equipmentTest as default } from '../../src/cli/equipment/test.js'
