export { top as default } from '../src/cli/top/top.js'
