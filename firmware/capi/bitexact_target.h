/* In an installed library this file says which compilers can link it. In the source tree, any can read the headers. */
