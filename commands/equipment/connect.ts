export { equipmentConnect as default } from '../../src/cli/equipment/connect.js'
