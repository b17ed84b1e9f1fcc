export { equipmentTapCheck as default } from '../../src/cli/equipment/tap-check.js'
