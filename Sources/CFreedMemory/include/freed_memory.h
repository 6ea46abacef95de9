// Linked into a program, this has it overwrite what it frees; there is nothing to call.
