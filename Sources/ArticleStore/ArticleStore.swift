// ArticleStore
