export { recipesList as default } from '../../src/cli/recipes/recipes-verbs.js'
