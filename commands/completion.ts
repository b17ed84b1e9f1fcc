export { completionCommand as default } from '../src/cli/completion/completion.js'
