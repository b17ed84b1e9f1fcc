export { equipmentCheck as default } from '../../src/cli/equipment/check.js'
