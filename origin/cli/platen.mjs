#!/usr/bin/env node
/** The `platen` command. It runs on any Node and starts `main.ts` with the Node of the project. */
import { handOver, root, setUp } from '../setup/run.mjs'

if (!(await setUp([]))) process.exit(1)
handOver([`${root}origin/cli/main.ts`, ...process.argv.slice(2)])
