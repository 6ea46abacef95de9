print("articlesctl")
