export { recipesFetch as default } from '../../src/cli/recipes/fetch.js'
