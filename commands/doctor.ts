export { doctorCommand as default } from '../src/cli/doctor/doctor.js'
