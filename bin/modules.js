'use strict'
// Runs the files of dist/: CommonJS that asks for other files of dist/ by relative or absolute paths. A file that
// holds several gives them to `require.provide`, each as a function.
const { dirname, isAbsolute, join, sep } = require('node:path')

/**
 * A function that returns what a file exports. `dist` is the folder of the files, `scriptOf(file)` the compiled script
 * of one, and `outside` the `require` for everything else.
 */
exports.moduleLoader = (dist, scriptOf, outside) => {
  const modules = new Map()
  /** Functions that run files which have no script of their own, by paths below a folder. */
  let provided = { folder: '', files: {} }
  const functionOf = (file) => {
    const { folder, files } = provided
    const path = file.startsWith(folder) ? file.slice(folder.length) : ''
    return files[sep === '/' ? path : path.replaceAll(sep, '/')]
  }
  function loaded(file) {
    const known = modules.get(file)
    if (known) return known.exports
    const folder = dirname(file)
    const beside = folder + sep
    const inside = (id) => {
      // A start asks so a thousand times: what is in the same folder needs no search for steps in the path.
      if (id.startsWith('./') && !id.includes('/', 2)) return loaded(beside + id.slice(2))
      if (id.startsWith('./') || id.startsWith('../')) return loaded(join(folder, id))
      return isAbsolute(id) && id.startsWith(dist) ? loaded(id) : outside(id)
    }
    inside.resolve = outside.resolve
    inside.main = outside.main
    inside.cache = outside.cache
    inside.provide = (files) => {
      provided = { folder: dirname(folder) + sep, files }
    }
    const module = { exports: {}, filename: file }
    modules.set(file, module)
    try {
      const run = functionOf(file) ?? scriptOf(file).runInThisContext()
      run.call(module.exports, module.exports, inside, module, file, folder)
    } catch (error) {
      modules.delete(file)
      throw error
    }
    return module.exports
  }
  return loaded
}
