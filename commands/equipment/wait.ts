export { equipmentWait as default } from '../../src/cli/equipment/wait.js'
