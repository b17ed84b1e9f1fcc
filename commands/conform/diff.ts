export { conformDiff as default } from '../../src/cli/scenario/conform-diff.js'
