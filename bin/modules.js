'use strict'
// Runs the files of dist/: CommonJS that asks for other files of dist/ by relative or absolute paths. A file that
// holds several gives them to `require.provide`, each as a function.
const { dirname, isAbsolute, join } = require('node:path')

/**
 * A function that returns what a file exports. `dist` is the folder of the files, `scriptOf(file)` the compiled script
 * of one, and `outside` the `require` for everything else.
 */
exports.moduleLoader = (dist, scriptOf, outside) => {
  const modules = new Map()
  /** Functions that run files which have no script of their own. */
  const provided = new Map()
  function loaded(file) {
    const known = modules.get(file)
    if (known) return known.exports
    const folder = dirname(file)
    const inside = (id) => {
      if (id.startsWith('./') || id.startsWith('../')) return loaded(join(folder, id))
      return isAbsolute(id) && id.startsWith(dist) ? loaded(id) : outside(id)
    }
    inside.provide = (files) => {
      for (const [name, run] of Object.entries(files)) provided.set(join(folder, name), run)
    }
    const module = { exports: {}, filename: file }
    modules.set(file, module)
    try {
      const run = provided.get(file) ?? scriptOf(file).runInThisContext()
      run.call(module.exports, module.exports, Object.assign(inside, outside), module, file, folder)
    } catch (error) {
      modules.delete(file)
      throw error
    }
    return module.exports
  }
  return loaded
}
