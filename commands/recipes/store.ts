export { recipesStore as default } from '../../src/cli/recipes/store.js'
